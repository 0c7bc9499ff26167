import { Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'

/**
 * The query parameters that request the number of items in a list. They also request a page of one item,
 * because this is the minimum page size.
 */
export const counted = { limit: 1, count: 'true' } as const
/** A count is reused for this many milliseconds, because counting reads up to 10,000 rows. */
export const countOptions = { staleTime: 10_000 }

type Loaded = { rows: readonly unknown[] | undefined; more: { hasMore: boolean } }

/**
 * Returns the number of items loaded so far, for lists whose API returns no count. The number is exact once the whole
 * list is loaded.
 */
export const loaded = ({ rows, more }: Loaded) => rows && { count: rows.length, is_exact: !more.hasMore }

type Given = {
  total: { count: number; is_exact: boolean } | undefined
  /** Returns a text such as "12 payments". `written` is the number formatted for the user's language. */
  inWords: (count: number, written: string) => string
  /** True if the surrounding panel has no padding. The item count then adds padding of its own. */
  isInPanel?: boolean
}

/** Shows how many items match a list's filters. More than 10,000 items are shown as `10,000+`. */
export function ListCount({ total, inWords, isInPanel = false }: Given) {
  const format = useFormat()
  return (
    <Text size="sm" c="dimmed" role="status" mih="1.4em" {...(isInPanel && { px: 'lg', pb: 'xs' })}>
      {total && inWords(total.count, `${format.count(total.count)}${total.is_exact ? '' : '+'}`)}
    </Text>
  )
}
