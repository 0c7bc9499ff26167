import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { useMode } from '../shell/mode.ts'
import { ChallengedList } from './challenged-list.tsx'
import { DifferenceList } from './difference-list.tsx'
import { useInboxCounts } from './inbox-counts.ts'
import { LedgerAlert } from './ledger-alert.tsx'
import { LiveAlert } from './live-alert.tsx'
import { MoneyList } from './money-list.tsx'
import { UnknownList } from './unknown-list.tsx'
import { UnreadableAlert } from './unreadable-alert.tsx'
import { WaitingRefunds } from './waiting-refunds.tsx'

const text = words({
  en: {
    title: 'Inbox',
    about:
      'Items that need your decision: unexpected money, challenged payments, unknown outcomes, refunds and differences.',
    parts: 'Inbox items',
    money: 'Unexpected money',
    challenged: 'Challenged payments',
    unknown: 'Unknown outcomes',
    refunds: 'Refunds',
    differences: 'Differences',
  },
  id: {
    title: 'Kotak masuk',
    about:
      'Hal yang memerlukan keputusan Anda: dana tak terduga, pembayaran yang perlu ditinjau, hasil yang tidak diketahui, pengembalian dana, dan selisih.',
    parts: 'Isi kotak masuk',
    money: 'Dana tak terduga',
    challenged: 'Pembayaran perlu ditinjau',
    unknown: 'Hasil tidak diketahui',
    refunds: 'Pengembalian dana',
    differences: 'Selisih',
  },
})

const tabs = {
  money: MoneyList,
  challenged: ChallengedList,
  unknown: UnknownList,
  refunds: WaitingRefunds,
  differences: DifferenceList,
}
type Name = keyof typeof tabs
const names = Object.keys(tabs) as Name[]

export function InboxPage() {
  const t = useWords(text)
  const { tab } = useSearch({ from: '/inside/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const [mode] = useMode()
  const counts = useInboxCounts(mode)
  const open = names.find(name => name === tab) ?? 'money'
  const List = tabs[open]
  return (
    <Page title={t.title} description={t.about}>
      <LedgerAlert count={counts.ledger} />
      <UnreadableAlert count={counts.unreadable} />
      {mode === 'test' && <LiveAlert />}
      <AddressTabs
        label={t.parts}
        tabs={names.map(name => ({ name, label: t[name], count: counts[name] }))}
        open={open}
        onOpen={name => void navigate({ search: name === 'money' ? {} : { tab: name }, replace: true })}
      >
        <List />
      </AddressTabs>
    </Page>
  )
}
