// A table for long lists. Only the visible rows are in the document. The next page is loaded before the user scrolls to
// the end.

import { Loader, Skeleton, VisuallyHidden } from '@mantine/core'
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Failure } from '../parts/states.tsx'
import classes from './data-table.module.css'
import type { Sorting } from './order.ts'
import { SortButton } from './sort-button.tsx'

const features = tableFeatures({})

export type Column<Row extends object> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The column's share of the table width, relative to the shares of the other columns. */
  share?: number
  /** Aligns the cells to the right, as for amounts, counts and times. These cells wrap only on phones. */
  align?: 'end'
  /** True if cells in this column wrap only on phones. */
  isWhole?: boolean
  /** True for button columns, which need no visible header. Screen readers still announce the header. */
  isHeaderHidden?: boolean
  /** True for the time column by which the list is sorted. A click on this column's header reverses the order. */
  isSorted?: boolean
  /** `phone` hides the column on phones. `tablet` hides the column on phones and tablets. */
  hidden?: 'phone' | 'tablet'
}

type Given<Row extends object> = {
  /** The table's accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Called when the user clicks anywhere in the row. For keyboard users, the row must also contain a link. */
  onOpen?: (row: Row) => void
  error?: unknown
  retry?: () => void
  empty: ReactNode
  /** The list's sort order. Undefined if the user cannot change the order. */
  sorting?: Sorting
  /**
   * Whether there are more rows, the state of loading them, and the function that loads them. Undefined if
   * all rows are loaded.
   */
  more?: { hasMore: boolean; isLoading: boolean; fault: unknown; load: () => void }
}

/** The height, in pixels, of a row whose cells wrap to at most two lines. */
const ROW_HEIGHT = 52
/** The table requests the next page when the user has scrolled to within this many rows of the end. */
const AHEAD = 30

export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  rowKey,
  onOpen,
  error,
  retry,
  empty,
  sorting,
  more,
}: Given<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  // Measures the table's position after every render, because the content above the table may have become
  // taller.
  useLayoutEffect(() => {
    if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
  })
  const count = rows?.length ?? 0
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: top,
    getItemKey: index => rowKey((rows as readonly Row[])[index] as Row),
  })
  const inSight = virtual.getVirtualItems()
  const first = inSight[0]?.index ?? 0
  const last = inSight.at(-1)?.index ?? -1

  useEffect(() => {
    if (more?.hasMore && !more.isLoading && !more.fault && last >= count - AHEAD) more.load()
  }, [more, last, count])

  const table = useTable({
    features,
    columns: columns.map(({ id, header }): ColumnDef<typeof features, Row> => ({ id, header })),
    data: rows?.slice(first, last + 1) ?? [],
    getRowId: rowKey,
  })
  const columnOf = new Map(columns.map(column => [column.id, column]))
  const attributesOf = (id: string) => {
    const column = columnOf.get(id)
    return {
      'data-align': column?.align,
      'data-whole': column?.isWhole,
      'data-hidden': column?.hidden,
    }
  }

  if (error) return <Failure error={error} {...(retry && { retry })} />
  // A page of search results can be empty although other pages follow. The table is therefore shown as empty
  // only if no page follows.
  if (rows && count === 0 && !more?.hasMore) return empty
  const before = (inSight[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((inSight.at(-1)?.end ?? top) - top)
  const sorted = columns.find(({ isSorted }) => isSorted)
  return (
    <>
      {sorting && sorted?.hidden && (
        <div className={classes.sortOnPhone}>
          <SortButton header={sorted.header} sorting={sorting} />
        </div>
      )}
      <table className={classes.table} aria-label={label} aria-rowcount={more?.hasMore ? -1 : count + 1}>
        <colgroup>
          {columns.map(column => (
            <col key={column.id} data-hidden={column.hidden} style={widthsOf(column, columns)} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map(group => (
            <tr key={group.id}>
              {group.headers.map(header => (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={sortOf(columnOf.get(header.column.id), sorting)}
                  {...attributesOf(header.column.id)}
                >
                  <Header of={columnOf.get(header.column.id)} sorting={sorting} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {!rows && <Awaited columns={columns} />}
          {before > 0 && <Gap height={before} />}
          {table.getRowModel().rows.map((row, index) => (
            <tr
              key={row.id}
              ref={virtual.measureElement}
              data-index={first + index}
              aria-rowindex={first + index + 2}
              data-opens={onOpen !== undefined}
              onClick={event => {
                const isText = window.getSelection()?.toString()
                const isControl = (event.target as Element).closest('a, button, input, label')
                if (!isText && !isControl) onOpen?.(row.original)
              }}
            >
              {row.getAllCells().map(cell => (
                <td key={cell.id} {...attributesOf(cell.column.id)}>
                  {/* The cell is rendered by a function call and not as an element, because an element would be
                      remounted on each render and lose the focus. */}
                  {columnOf.get(cell.column.id)?.cell(row.original)}
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
      {more?.fault ? <Failure error={more.fault} retry={more.load} /> : null}
      {more?.isLoading && rows && (
        <div className={classes.more}>
          <Loader size="sm" />
        </div>
      )}
    </>
  )
}

/**
 * Returns a column's share of the table's width on wide screens, tablets and phones. Tablets and phones show fewer
 * columns.
 */
function widthsOf({ share = 1 }: Column<never>, columns: readonly Column<never>[]) {
  const among = (shown: readonly Column<never>[]) =>
    `${(100 * share) / shown.reduce((sum, { share = 1 }) => sum + share, 0)}%`
  return {
    ['--share' as string]: among(columns),
    ['--tablet-share' as string]: among(columns.filter(({ hidden }) => hidden !== 'tablet')),
    ['--phone-share' as string]: among(columns.filter(({ hidden }) => hidden === undefined)),
  }
}

type HeaderOf = Pick<Column<object>, 'header' | 'isHeaderHidden' | 'isSorted'> | undefined

/**
 * Returns the sort order that screen readers announce for a column, or undefined if the list is not sorted by that
 * column.
 */
const sortOf = (column: HeaderOf, sorting: Sorting | undefined) => {
  if (!column?.isSorted || !sorting) return undefined
  return sorting.order === 'newest' ? 'descending' : 'ascending'
}

function Header({ of: column, sorting }: { of: HeaderOf; sorting: Sorting | undefined }) {
  if (column?.isHeaderHidden) return <VisuallyHidden>{column.header}</VisuallyHidden>
  if (column?.isSorted && sorting) return <SortButton header={column.header} sorting={sorting} />
  return column?.header
}

const Gap = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this row cannot receive focus
  <tr aria-hidden="true">
    <td className={classes.gap} style={{ height }} />
  </tr>
)

const Awaited = <Row extends object>({ columns }: { columns: readonly Column<Row>[] }) =>
  Array.from({ length: 8 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey lint/a11y/noAriaHiddenOnFocusable: the placeholder rows are identical and cannot be focused
    <tr key={index} aria-hidden="true">
      {columns.map(({ id, hidden }) => (
        <td key={id} data-hidden={hidden}>
          <Skeleton height={12} radius="sm" />
        </td>
      ))}
    </tr>
  ))
