import { Alert, Group } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Tag } from '../parts/tag.tsx'
import type { Kind, Summary } from './reconciliation.ts'
import { kindTones, kindWords } from './reconciliation-words.ts'

const text = words({
  en: {
    balanced: 'All agree',
    differs: (count: string) => `Differences: ${count}`,
    compared: 'What was compared',
    settlement: 'With a settlement',
    inquiry: 'With what the provider answered',
    unanswered: 'The provider did not answer',
    books: 'With the ledger alone',
    unknown_lines: 'Lines of settlements without a payment',
  },
  id: {
    balanced: 'Semuanya cocok',
    differs: (count: string) => `Selisih: ${count}`,
    compared: 'Yang dicocokkan',
    settlement: 'Dengan settlement',
    inquiry: 'Dengan jawaban penyedia',
    unanswered: 'Penyedia tidak menjawab',
    books: 'Hanya dengan buku besar',
    unknown_lines: 'Baris settlement tanpa pembayaran',
  },
} satisfies Record<'en' | 'id', Record<keyof Summary['compared'], string> & Record<string, unknown>>)

export function Verdict({ of: { balanced, counts, compared } }: { of: Summary }) {
  const t = useWords(text)
  const kinds = useWords(kindWords)
  const format = useFormat()
  const found = (Object.keys(counts) as Kind[]).filter(kind => counts[kind] > 0)
  const sum = found.reduce((total, kind) => total + counts[kind], 0)
  return (
    <>
      <Alert
        role="status"
        color={balanced ? 'teal' : 'orange'}
        icon={balanced ? <IconCheck /> : <IconAlertTriangle />}
        title={balanced ? t.balanced : t.differs(format.count(sum))}
      >
        {found.length > 0 && (
          <Group gap="xs">
            {found.map(kind => (
              <Tag key={kind} tone={kindTones[kind]}>{`${kinds[kind]}: ${format.count(counts[kind])}`}</Tag>
            ))}
          </Group>
        )}
      </Alert>
      <Panel title={t.compared}>
        <Facts
          items={(Object.keys(compared) as (keyof typeof compared)[]).map(way => [
            t[way],
            compared[way] > 0 ? format.count(compared[way]) : null,
          ])}
        />
      </Panel>
    </>
  )
}
