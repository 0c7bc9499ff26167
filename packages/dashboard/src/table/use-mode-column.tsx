import { useWords, words } from '../language/language.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import type { Mode } from '../shell/mode.ts'
import type { Column } from './data-table.tsx'

const text = words({ en: { mode: 'Mode' }, id: { mode: 'Mode' } })

/** The column of a list that shows both modes. */
export function useModeColumn<Row extends { mode: Mode }>(): Column<Row> {
  const { mode: header } = useWords(text)
  return { id: 'mode', header, share: 0.8, hidden: 'tablet', cell: ({ mode }) => <ModeTag mode={mode} /> }
}
