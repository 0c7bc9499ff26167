// The command bar, which opens a page, payment or tenant by name. Ctrl+K or ⌘K opens the bar on every page.

import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconArrowsExchange,
  IconBuildingStore,
  IconCreditCard,
  IconKeyboard,
  IconSearch,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useHasFees } from '../fees/has-fees.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { statusWords } from '../payments/payment-words.ts'
import { useAccount } from '../session/account.ts'
import classes from './command-bar.module.css'
import { useMode } from './mode.ts'
import { names, navigationOf } from './navigation.ts'
import { showShortcuts } from './shortcut.ts'

const text = words({
  en: {
    title: 'Search and commands',
    hint: {
      client: 'Search payments or pages',
      other: 'Search tenants, whole payment codes or pages',
      merchant: 'Search this merchant’s payments, tenants or pages',
    },
    onlyCodes:
      'Payments are found here only by their whole payment code. To search by name, phone number or order reference, open the merchant first.',
    ofMerchant: (name: string) =>
      `Also searches the payments of ${name} by name, phone number, reference or part of the payment code.`,
    toLive: 'Switch to live mode',
    toTest: 'Switch to test mode',
    shortcuts: 'Keyboard shortcuts',
    none: 'Nothing found',
    keys: '↑ ↓ to choose, Enter to open, Esc to close',
  },
  id: {
    title: 'Pencarian dan perintah',
    hint: {
      client: 'Cari pembayaran atau halaman',
      other: 'Cari tenant, kode pembayaran lengkap, atau halaman',
      merchant: 'Cari pembayaran merchant ini, tenant, atau halaman',
    },
    onlyCodes:
      'Di sini, pembayaran hanya dapat dicari dengan kode pembayaran lengkap. Untuk mencari berdasarkan nama, nomor telepon, atau referensi pesanan, buka halaman merchant terlebih dahulu.',
    ofMerchant: (name: string) =>
      `Juga mencari pembayaran ${name} berdasarkan nama, nomor telepon, referensi, atau sebagian kode pembayaran.`,
    toLive: 'Beralih ke mode live',
    toTest: 'Beralih ke mode uji coba',
    shortcuts: 'Pintasan papan ketik',
    none: 'Tidak ada yang ditemukan',
    keys: '↑ ↓ untuk memilih, Enter untuk membuka, Esc untuk menutup',
  },
})

type Command = { key: string; label: string; more?: string; icon: ReactNode; run: () => void }

const PAUSE_MS = 150
const FOUND = 6
const ICON = { size: 16, stroke: 1.7 }

export default function CommandBar({ close }: { close: () => void }) {
  const t = useWords(text)
  const { role } = useAccount()
  const merchant = useOpenMerchant()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const [searched] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = [...usePayments(searched, merchant?.id), ...useTenants(searched)]
  const commands = [...usePages(typed.trim().toLowerCase()), ...found]
  const at = Math.min(chosen, commands.length - 1)
  const open = (command: Command | undefined) => {
    if (!command) return
    close()
    command.run()
  }
  return (
    <Dialog
      onClose={close}
      // The dialog needs an accessible name, because it has no visible title.
      attributes={{ content: { 'aria-label': t.title } }}
      withCloseButton={false}
      size="lg"
      centered={false}
      yOffset="10vh"
    >
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={commands[at] && `command-${at}`}
        aria-label={t.title}
        placeholder={t.hint[role === 'client' ? 'client' : merchant ? 'merchant' : 'other']}
        leftSection={<IconSearch {...ICON} />}
        value={typed}
        onChange={event => {
          setTyped(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={event => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (event.key === 'Enter') open(commands[at])
          else if (step === undefined) return
          else setChosen((at + step + commands.length) % Math.max(1, commands.length))
          event.preventDefault()
        }}
      />
      <div id="commands" role="listbox" aria-label={t.title} className={classes.list}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the input, which handles the keys
          <div
            key={command.key}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes.command}
            onClick={() => open(command)}
            onMouseMove={() => setChosen(index)}
          >
            {command.icon}
            <span className={classes.label}>{command.label}</span>
            {command.more && <span className={classes.more}>{command.more}</span>}
          </div>
        ))}
      </div>
      <Text size="xs" c="dimmed" mt="sm" role="status">
        {commands.length === 0 ? t.none : t.keys}
      </Text>
      {role !== 'client' && (
        <Text size="xs" c="dimmed" mt={4}>
          {merchant ? t.ofMerchant(merchant.name) : t.onlyCodes}
        </Text>
      )}
    </Dialog>
  )
}

/**
 * Returns the commands that match the typed text: open a page, switch the mode (live or test), or list the shortcuts.
 */
function usePages(typed: string): Command[] {
  const t = useWords(text)
  const n = useWords(names)
  const router = useRouter()
  const [mode, setMode] = useMode()
  const pages = navigationOf(useAccount(), { hasFees: useHasFees() }).map(({ name, to, icon: Icon }) => ({
    key: name,
    label: n[name],
    icon: <Icon {...ICON} />,
    run: () => void router.navigate({ to }),
  }))
  const switchMode = {
    key: 'mode',
    label: mode === 'live' ? t.toTest : t.toLive,
    icon: <IconArrowsExchange {...ICON} />,
    run: () => setMode(mode === 'live' ? 'test' : 'live'),
  }
  const shortcuts = {
    key: 'shortcuts',
    label: t.shortcuts,
    icon: <IconKeyboard {...ICON} />,
    run: showShortcuts,
  }
  return [...pages, switchMode, shortcuts].filter(({ label }) => label.toLowerCase().includes(typed))
}

/** Returns the merchant if the Owner or a Partner has opened the page of a merchant or of a merchant's payment. */
function useOpenMerchant(): { id: string; name: string } | undefined {
  const id = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.params as { tenantId?: string } | undefined)?.tenantId,
  })
  const { data } = useQuery(
    trpc.tenants.get.queryOptions({ tenant_id: id ?? '' }, { enabled: id !== undefined }),
  )
  return data?.role === 'client' ? data : undefined
}

/**
 * Returns commands that open payments.
 *
 * - Merchants can search their own payments for any text.
 * - The Owner (the service's operator) and Partners (resellers) can search for any text only on a merchant's page,
 *   because each merchant's search index is separate. On other pages, they can search only for a payment code.
 */
function usePayments(searched: string, merchantId: string | undefined): Command[] {
  const router = useRouter()
  const format = useFormat()
  const statuses = useWords(statusWords)
  const { role } = useAccount()
  const [mode] = useMode()
  const isClient = role === 'client'
  const hasText = searched.length > 1
  const query = { q: searched, mode, limit: FOUND }
  const own = useQuery(
    trpc.payments.list.queryOptions(query, {
      enabled: isClient && hasText,
      placeholderData: keepPreviousData,
    }),
  )
  const ofMerchant = useQuery(
    trpc.support.payments.queryOptions(
      { ...query, tenant_id: merchantId ?? '' },
      { enabled: merchantId !== undefined && hasText, placeholderData: keepPreviousData },
    ),
  )
  const other = useQuery(
    trpc.support.find.queryOptions({ payment_code: searched }, { enabled: !isClient && hasText }),
  )
  const icon = <IconCreditCard {...ICON} />
  if (!hasText) return []
  const openOfTenant = (tenantId: string, paymentId: string) =>
    void router.navigate({ to: '/tenants/$tenantId/payments/$paymentId', params: { tenantId, paymentId } })
  const listed = (isClient ? own : ofMerchant).data?.items ?? []
  const found = listed.map(({ id, payment_code: code, customer_name, amount, status }) => ({
    key: code,
    label: `${code} ${customer_name}`,
    more: `${format.money(amount)} · ${statuses[status]}`,
    icon,
    run: () =>
      merchantId === undefined
        ? void router.navigate({ to: '/payments/$paymentId', params: { paymentId: id } })
        : openOfTenant(merchantId, code),
  }))
  const payment = other.data
  if (!payment || found.some(({ key }) => key === payment.payment_code)) return found
  const { tenant_id, payment_code: code } = payment
  return [...found, { key: code, label: code, icon, run: () => openOfTenant(tenant_id, code) }]
}

function useTenants(searched: string): Command[] {
  const router = useRouter()
  const { role } = useAccount()
  const isEnabled = role !== 'client' && searched.length > 1
  const { data } = useQuery(
    trpc.tenants.list.queryOptions(
      { q: searched, limit: FOUND },
      { enabled: isEnabled, placeholderData: keepPreviousData },
    ),
  )
  if (!isEnabled) return []
  return (data?.items ?? []).map(({ id, name }) => ({
    key: id,
    label: name,
    icon: <IconBuildingStore {...ICON} />,
    run: () => void router.navigate({ to: '/tenants/$tenantId', params: { tenantId: id } }),
  }))
}
