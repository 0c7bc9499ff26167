import { Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isDay } from '../format/day.ts'
import { dayIn } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { useAccount } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { CsvButton } from './csv-button.tsx'
import { DayChoice } from './day-choice.tsx'
import { type Question, reconciliationQuery } from './reconciliation.ts'
import { sources } from './reconciliation-words.ts'
import { Result } from './result.tsx'
import { Settlements } from './settlements.tsx'

const text = words({
  en: {
    title: 'Reconciliation',
    about: 'Compares the payments of a day with the ledger and the records of the providers.',
    comparison: 'Comparison',
    settlements: 'Settlements',
  },
  id: {
    title: 'Rekonsiliasi',
    about: 'Mencocokkan pembayaran suatu hari dengan buku besar dan data penyedia.',
    comparison: 'Pencocokan',
    settlements: 'Settlement',
  },
})

export function ReconciliationPage() {
  const t = useWords(text)
  const question = useQuestion()
  const { role } = useAccount()
  const { tab } = useSearch({ from: '/inside/reconciliation' })
  const reconciliation = useQuery(reconciliationQuery(question))
  const begin = () => void reconciliation.refetch()
  const isSettlements = role === 'owner' && tab === 'settlements'
  return (
    <Page title={t.title} description={t.about} actions={<CsvButton of={question} />}>
      {role === 'owner' && <TabChoice />}
      <DayChoice of={question} />
      {isSettlements ? (
        <Settlements date={question.date} whenUploaded={begin} />
      ) : (
        <Result of={reconciliation} />
      )}
    </Page>
  )
}

function TabChoice() {
  const t = useWords(text)
  const { tab } = useSearch({ from: '/inside/reconciliation' })
  const navigate = useNavigate({ from: '/reconciliation' })
  return (
    <Group>
      <SegmentedControl
        aria-label={t.title}
        value={tab === 'settlements' ? tab : 'comparison'}
        onChange={chosen =>
          void navigate({
            search: before => ({ ...before, tab: chosen === 'settlements' ? chosen : undefined }),
            replace: true,
          })
        }
        data={[
          { value: 'comparison', label: t.comparison },
          { value: 'settlements', label: t.settlements },
        ]}
      />
    </Group>
  )
}

/**
 * Returns the parameters of the reconciliation. Only the Owner can choose with which source the payments are
 * compared. The default is the settlement file, because the source "provider" sends a status inquiry for
 * every payment of the day.
 */
function useQuestion(): Question {
  const search = useSearch({ from: '/inside/reconciliation' })
  const date = isDay(search.date) ? search.date : dayIn(new Date())
  const source = sources.find(each => each === search.source) ?? 'settlement'
  const { role } = useAccount()
  const [mode] = useMode()
  return { date, mode, ...(role === 'owner' && { source }) }
}
