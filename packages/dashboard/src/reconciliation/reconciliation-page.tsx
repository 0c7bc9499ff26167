import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isDay } from '../format/day.ts'
import { dayIn } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { useAccount } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { BookTotals } from './book-totals.tsx'
import { CsvButton } from './csv-button.tsx'
import { DayChoice } from './day-choice.tsx'
import { type Question, reconciliationQuery } from './reconciliation.ts'
import { sources } from './reconciliation-words.ts'
import { Result } from './result.tsx'
import { Settlements } from './settlements.tsx'

const text = words({
  en: {
    title: 'Reconciliation',
    about: 'Compares one day’s payments with the ledger and the providers’ records.',
    parts: 'Sections of this page',
    comparison: 'Comparison',
    settlements: 'Settlements',
    books: 'Book totals',
    aboutBooks: 'Each account’s total across the ledgers (books) of all tenants.',
  },
  id: {
    title: 'Rekonsiliasi',
    about: 'Mencocokkan pembayaran suatu hari dengan buku besar dan data penyedia.',
    parts: 'Bagian halaman ini',
    comparison: 'Pencocokan',
    settlements: 'Settlement',
    books: 'Total pembukuan',
    aboutBooks: 'Total setiap akun dari buku besar (pembukuan) semua tenant.',
  },
})

const tabs = ['comparison', 'settlements', 'books'] as const
type Tab = (typeof tabs)[number]

export function ReconciliationPage() {
  const t = useWords(text)
  const question = useQuestion()
  const { role } = useAccount()
  const search = useSearch({ from: '/inside/reconciliation' })
  const navigate = useNavigate({ from: '/reconciliation' })
  const tab = (role === 'owner' && tabs.find(each => each === search.tab)) || 'comparison'
  const isOfDay = tab !== 'books'
  const content = <Stack gap="lg">{isOfDay ? <OneDay of={question} tab={tab} /> : <BookTotals />}</Stack>
  const open = (chosen: Tab) =>
    void navigate({
      search: before => ({ ...before, tab: chosen === 'comparison' ? undefined : chosen }),
      replace: true,
    })
  return (
    <Page
      title={t.title}
      description={isOfDay ? t.about : t.aboutBooks}
      actions={isOfDay && <CsvButton of={question} />}
    >
      {role === 'owner' ? (
        <AddressTabs
          label={t.parts}
          tabs={tabs.map(name => ({ name, label: t[name] }))}
          open={tab}
          onOpen={open}
        >
          {content}
        </AddressTabs>
      ) : (
        content
      )}
    </Page>
  )
}

/** Shows the reconciliation or the settlements of one day, depending on the tab. */
function OneDay({ of: question, tab }: { of: Question; tab: Tab }) {
  const reconciliation = useQuery(reconciliationQuery(question))
  const begin = () => void reconciliation.refetch()
  return (
    <>
      <DayChoice of={question} hasSource={tab !== 'settlements'} />
      {tab === 'settlements' ? (
        <Settlements date={question.date} whenUploaded={begin} />
      ) : (
        <Result of={reconciliation} />
      )}
    </>
  )
}

/**
 * Returns the reconciliation parameters. Only the Owner (the service's operator) can choose the source. The default
 * is the settlement file, because the source "provider" sends a status inquiry for each of the day's payments.
 */
function useQuestion(): Question {
  const search = useSearch({ from: '/inside/reconciliation' })
  const date = isDay(search.date) ? search.date : dayIn(new Date())
  const source = sources.find(each => each === search.source) ?? 'settlement'
  const { role } = useAccount()
  const [mode] = useMode()
  return { date, mode, ...(role === 'owner' && { source }) }
}
