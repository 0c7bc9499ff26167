import { useFormat } from '../format/format.ts'

/** When something was or will be, to the minute; to the second for whoever points at it. at: ISO 8601. */
export function Moment({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.exactTime(at)} className="moment">
      {format.time(at)}
    </time>
  )
}
