import { Group, Paper, type PaperProps, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './panel.module.css'

type Given = PaperProps & { title?: string; actions?: ReactNode; isFlush?: boolean; children: ReactNode }

/** A section of a page. If `isFlush` is true, the content (usually a table) has no padding. */
export function Panel({ title, actions, isFlush = false, children, ...paper }: Given) {
  return (
    <Paper withBorder component="section" className={classes.panel} {...paper}>
      {(title || actions) && (
        <Group justify="space-between" px="lg" pt="md" pb={isFlush ? 'sm' : 0}>
          {title && (
            <Title order={2} size="h5">
              {title}
            </Title>
          )}
          {actions}
        </Group>
      )}
      <div className={isFlush ? undefined : classes.content}>{children}</div>
    </Paper>
  )
}
