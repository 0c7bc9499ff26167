import { createContext, useContext } from 'react'
import { useFormat } from '../format/format.ts'

/**
 * Whether to show the time zone. Facts are copied out of the page and show it; in a list it would repeat in every
 * row.
 */
export const ZoneContext = createContext(false)

/** A time to the minute, with seconds in its tooltip. at: ISO 8601. */
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
