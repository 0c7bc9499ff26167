// Handles the keyboard shortcuts and lists them in a dialog.

import { Kbd, Switch, Table } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHasFees } from '../fees/has-fees.ts'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAccount } from '../session/account.ts'
import { names, navigationOf } from './navigation.ts'
import { areShortcutsOn, onShowShortcuts, pageKeys, setShortcutsOn, shortcutOf } from './shortcut.ts'

const text = words({
  en: {
    title: 'Keyboard shortcuts',
    command: 'Search and commands',
    search: 'Search on this page',
    create: 'New test payment',
    help: 'This list',
    open: (page: string) => `Open ${page}`,
    afterwards: 'then',
    or: 'or',
    isOn: 'Use single-key shortcuts and shortcuts that start with G',
  },
  id: {
    title: 'Pintasan papan ketik',
    command: 'Pencarian dan perintah',
    search: 'Cari di halaman ini',
    create: 'Pembayaran uji coba baru',
    help: 'Daftar ini',
    open: (page: string) => `Buka ${page}`,
    afterwards: 'lalu',
    or: 'atau',
    isOn: 'Gunakan pintasan satu tombol dan pintasan yang diawali G',
  },
})

/** The maximum number of milliseconds between G and the following letter of a shortcut that opens a page. */
const SEQUENCE_MS = 1_500

export default function Shortcuts() {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const router = useRouter()
  const pages = navigationOf(useAccount(), { hasFees: useHasFees() })
  const gPressedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => onShowShortcuts(() => setHelpOpen(true)), [])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!areShortcutsOn() || isElsewhere(event)) return
      const isAfterG = event.timeStamp - gPressedAt.current < SEQUENCE_MS
      gPressedAt.current = Number.NEGATIVE_INFINITY
      const shortcut = shortcutOf(event.key, { isAfterG, pages: pages.map(({ name }) => name) })
      switch (shortcut?.type) {
        case undefined:
          return
        case 'await_page':
          gPressedAt.current = event.timeStamp
          break
        case 'open_page':
          void router.navigate({ to: pages.find(({ name }) => name === shortcut.name)?.to ?? '/' })
          break
        case 'create_payment':
          void router.navigate({ to: '/payments/new' })
          break
        case 'focus_search':
          document.querySelector<HTMLElement>('#page input[type=search]')?.focus()
          break
        case 'show_help':
          setHelpOpen(true)
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [pages, router])

  return isHelpOpen && <ShortcutList close={() => setHelpOpen(false)} />
}

/** Returns whether the pressed key is meant for an input, a dialog or the browser, and not for a shortcut. */
const isElsewhere = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) ||
  document.querySelector('[role=dialog]') !== null

function ShortcutList({ close }: { close: () => void }) {
  const t = useWords(text)
  const n = useWords(names)
  const pages = navigationOf(useAccount(), { hasFees: useHasFees() })
  const [isOn, setOn] = useState(areShortcutsOn)
  const rows: [keys: ReactNode, what: string][] = [
    [
      <>
        <Kbd>Ctrl K</Kbd> {t.or} <Kbd>⌘ K</Kbd>
      </>,
      t.command,
    ],
    [<Kbd key="/">/</Kbd>, t.search],
    ...(pages.some(({ name }) => name === 'payments')
      ? [[<Kbd key="n">N</Kbd>, t.create] satisfies [ReactNode, string]]
      : []),
    [<Kbd key="?">?</Kbd>, t.help],
    ...pages.map(({ name }): [ReactNode, string] => [
      <>
        <Kbd>G</Kbd> {t.afterwards} <Kbd>{pageKeys[name].toUpperCase()}</Kbd>
      </>,
      t.open(n[name]),
    ]),
  ]
  return (
    <Dialog onClose={close} title={t.title}>
      <Switch
        label={t.isOn}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setShortcutsOn(checked)
          setOn(checked)
        }}
      />
      <Table mt="md">
        <Table.Tbody>
          {rows.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>{keys}</Table.Td>
              <Table.Th scope="row" fw={400}>
                {what}
              </Table.Th>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
