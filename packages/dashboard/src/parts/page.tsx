import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type Given = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }

/** The frame of a page. It shows the page's title and actions, and sets the title of the browser tab. */
export function Page({ title, description, actions, children }: Given) {
  return (
    <Stack gap="lg" maw={1180} mx="auto">
      <title>{`${title} · Gapura`}</title>
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap="sm" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}
