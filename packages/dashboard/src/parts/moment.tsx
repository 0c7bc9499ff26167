import { createContext, useContext } from 'react'
import { useFormat } from '../format/format.ts'

/**
 * Whether times are shown with their time zone. A list of details shows the time zone, because users may copy a time
 * from it. A table does not, because every row would repeat it.
 */
export const ZoneContext = createContext(false)

/** Shows a time to the minute. The tooltip also shows the seconds. `at` is a time in ISO 8601. */
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
