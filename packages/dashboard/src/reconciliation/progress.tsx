import { Progress as Bar, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Told } from './reconciliation.ts'

const text = words({
  en: {
    running: 'Comparing',
    counted: (done: string, total: string) => `${done} of ${total} compared`,
    leave: 'The comparison stops if you leave this page.',
  },
  id: {
    running: 'Sedang dicocokkan',
    counted: (done: string, total: string) => `${done} dari ${total} dicocokkan`,
    leave: 'Pencocokan berhenti jika Anda meninggalkan halaman ini.',
  },
})

export function Progress({ of: { done, total } }: { of: Told['progress'] }) {
  const t = useWords(text)
  const format = useFormat()
  const percent = total === 0 ? 0 : (100 * done) / total
  return (
    <Panel>
      <Bar value={percent} aria-label={t.running} animated />
      <Text size="sm" c="dimmed" mt="sm" className="figures">
        {t.counted(format.count(done), format.count(total))}. {t.leave}
      </Text>
    </Panel>
  )
}
