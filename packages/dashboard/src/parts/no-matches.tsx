import { Button } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Empty } from './states.tsx'

const text = words({ en: { clear: 'Clear filters' }, id: { clear: 'Hapus filter' } })

/** Shown instead of a list if no item matches the list's filters, with a button that clears the filters. */
export function NoMatches({ title, clear }: { title: string; clear: () => void }) {
  const t = useWords(text)
  return (
    <Empty title={title}>
      <Button variant="subtle" onClick={clear}>
        {t.clear}
      </Button>
    </Empty>
  )
}
