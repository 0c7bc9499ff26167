import { createContext, useContext } from 'react'
import { useFormat } from '../format/format.ts'

/**
 * Whether times show their time zone. In a list of facts, times show it because they may be copied out of the page. In
 * a table it would be repeated in every row.
 */
export const ZoneContext = createContext(false)

/** Shows a time to the minute, with the seconds in its tooltip. `at` is in ISO 8601. */
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
