import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './address-tabs.module.css'
import { Count } from './count.tsx'

type Given<Name extends string> = {
  label: string
  /** count: the number of items waiting in the tab. */
  tabs: readonly { name: Name; label: string; count?: string | undefined }[]
  open: Name
  /** Stores the tab in the URL, so that it can be bookmarked and shared. */
  onOpen: (name: Name) => void
  children: ReactNode
}

/** Tabs of a page; the open tab comes from the URL. */
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
