import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './address-tabs.module.css'
import { Count } from './count.tsx'

type Given<Name extends string> = {
  label: string
  /** The page's tabs. `count` is the number of items in a tab that wait for a decision. */
  tabs: readonly { name: Name; label: string; count?: string | undefined }[]
  open: Name
  /**
   * Called when the user selects a tab. The function must store the tab's name in the URL, so that users can bookmark
   * and share the page with this tab open.
   */
  onOpen: (name: Name) => void
  children: ReactNode
}

/** Shows a page's tabs. The URL determines which tab is open. */
export function AddressTabs<Name extends string>({ label, tabs, open, onOpen, children }: Given<Name>) {
  return (
    <Tabs value={open} onChange={name => name && onOpen(name as Name)} keepMounted={false}>
      <Tabs.List aria-label={label} className={classes.list}>
        {tabs.map(({ name, label, count }) => (
          <Tabs.Tab key={name} value={name} rightSection={count && <Count of={count} />}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open} pt="lg" tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
