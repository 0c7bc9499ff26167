import { createContext, useContext } from 'react'
import { useFormat } from '../format/format.ts'

/** Among facts, which are copied out of the page, it is said whose time it is; in a list that would be said in every row. */
export const ZoneContext = createContext(false)

/** When something was or will be, to the minute; to the second for whoever points at it. at: ISO 8601. */
export function Moment({ at }: { at: string }) {
  const format = useFormat()
  const hasZone = useContext(ZoneContext)
  return (
    <time dateTime={at} title={format.exactTime(at)}>
      {format.time(at)}
      {hasZone && ' WIB'}
    </time>
  )
}
