import { useFormat } from '../format/format.ts'

/** A time of Jakarta, to the second for whoever points at it. */
export function Moment({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.exactTime(at)}>
      {format.time(at)}
    </time>
  )
}
