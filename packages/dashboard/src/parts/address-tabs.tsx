import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './address-tabs.module.css'
import { Count } from './count.tsx'

type Given<Name extends string> = {
  label: string
  /** count: how many wait there. */
  tabs: readonly { name: Name; label: string; count?: string | undefined }[]
  open: Name
  /** Writes it to the address, so that a tab can be kept and sent on. */
  onOpen: (name: Name) => void
  children: ReactNode
}

/** The parts of a page, of which one is shown. */
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
