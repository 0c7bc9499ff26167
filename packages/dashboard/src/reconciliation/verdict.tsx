import { Group } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Tag } from '../parts/tag.tsx'
import type { Kind, Summary } from './reconciliation.ts'
import { kindTones, kindWords } from './reconciliation-words.ts'

const text = words({
  en: {
    balanced: 'No differences',
    differs: (count: string) => `Differences: ${count}`,
    settlement: 'Compared with settlements',
    inquiry: 'Compared with the provider’s payment statuses',
    unanswered: 'No response from the provider',
    books: 'Compared only with the ledger',
    unknown_lines: 'Settlement lines with no matching payment',
  },
  id: {
    balanced: 'Tidak ada selisih',
    differs: (count: string) => `Selisih: ${count}`,
    settlement: 'Dicocokkan dengan settlement',
    inquiry: 'Dicocokkan dengan status di penyedia',
    unanswered: 'Tidak ada respons dari penyedia',
    books: 'Dicocokkan hanya dengan buku besar',
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
    <div role="status">
      <Panel title={balanced ? t.balanced : t.differs(format.count(sum))}>
        {found.length > 0 && (
          <Group gap="xs" mb="md">
            {found.map(kind => (
              <Tag key={kind} tone={kindTones[kind]}>{`${kinds[kind]}: ${format.count(counts[kind])}`}</Tag>
            ))}
          </Group>
        )}
        <Facts
          items={(Object.keys(compared) as (keyof typeof compared)[]).map(way => [
            t[way],
            compared[way] > 0 ? format.count(compared[way]) : null,
          ])}
        />
      </Panel>
    </div>
  )
}
