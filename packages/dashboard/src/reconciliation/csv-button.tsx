import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { download } from '../api/rest.ts'
import { useWords, words } from '../language/language.tsx'
import { useAct } from '../parts/use-act.ts'
import { pathOf, type Question } from './reconciliation.ts'

const text = words({ en: { csv: 'Download differences (CSV)' }, id: { csv: 'Unduh selisih (CSV)' } })

export function CsvButton({ of: question }: { of: Question }) {
  const t = useWords(text)
  const downloading = useAct({
    mutationFn: () =>
      download(pathOf(question), {
        type: 'text/csv',
        name: `reconciliation-${question.date}-${question.mode}.csv`,
      }),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={downloading.isPending}
      onClick={() => downloading.mutate()}
    >
      {t.csv}
    </Button>
  )
}
