import { Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'

/** The part of a list's query that requests the number of its items, with as few items as possible. */
export const counted = { limit: 1, count: 'true' } as const
/** How long the number of items counts as fresh, because a count reads up to 10,000 rows. */
export const countOptions = { staleTime: 10_000 }

type Loaded = { rows: readonly unknown[] | undefined; more: { hasMore: boolean } }

/**
 * Returns the number of items of a list whose API has no count. It is exact as soon as the whole list is loaded, which
 * short lists are from the start.
 */
export const loaded = ({ rows, more }: Loaded) => rows && { count: rows.length, is_exact: !more.hasMore }

type Given = {
  total: { count: number; is_exact: boolean } | undefined
  /** Returns the number with the name of the items. `written` is the number in the format of the language. */
  inWords: (count: number, written: string) => string
  /**
   * True if the table fills a panel with a title. The count then needs padding of its own, because the panel has
   * none.
   */
  isInPanel?: boolean
}

/** The number of items of a list that match the filters: exact up to 10,000, and `10,000+` if there are more. */
export function ListCount({ total, inWords, isInPanel = false }: Given) {
  const format = useFormat()
  return (
    <Text size="sm" c="dimmed" role="status" mih="1.4em" {...(isInPanel && { px: 'lg', pb: 'xs' })}>
      {total && inWords(total.count, `${format.count(total.count)}${total.is_exact ? '' : '+'}`)}
    </Text>
  )
}
