import { Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'

/** The query parameters that request the number of items in a list, together with as few items as possible. */
export const counted = { limit: 1, count: 'true' } as const
/** The milliseconds for which the number of items is not counted again, because a count reads up to 10,000 rows. */
export const countOptions = { staleTime: 10_000 }

type Loaded = { rows: readonly unknown[] | undefined; more: { hasMore: boolean } }

/**
 * Returns the number of loaded items, for a list whose API has no count. The number is exact once the whole list is
 * loaded. Short lists are loaded completely from the start.
 */
export const loaded = ({ rows, more }: Loaded) => rows && { count: rows.length, is_exact: !more.hasMore }

type Given = {
  total: { count: number; is_exact: boolean } | undefined
  /**
   * Returns the number with the name of the items, such as "12 payments". `written` is the number in the format of
   * the user's language.
   */
  inWords: (count: number, written: string) => string
  /**
   * True if the table fills a panel with a title. The number of items then needs padding of its own, because the
   * panel has none.
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
