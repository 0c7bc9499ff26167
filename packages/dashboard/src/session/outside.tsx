import { Center, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageButton, ThemeButton } from '../shell/appearance.tsx'
import { Mark } from '../shell/mark.tsx'
import classes from './outside.module.css'

type Given = { title: string; children: ReactNode; below?: ReactNode }

/** The layout of pages for users who are not logged in. */
export const Outside = ({ title, children, below }: Given) => (
  <Center component="main" mih="100dvh" p="md">
    <title>{title}</title>
    <Stack w="100%" maw={400} gap="lg">
      <div className={classes.top}>
        <Mark />
        <div>
          <LanguageButton />
          <ThemeButton />
        </div>
      </div>
      <Paper withBorder p="xl">
        <Stack>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
      {below}
    </Stack>
  </Center>
)
