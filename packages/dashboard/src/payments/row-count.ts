// Counts the rows of a CSV stream as it arrives. A line break inside a quoted cell does not end a row.

const QUOTE = 34
const LINE_FEED = 10

type RowCount = { lines: number; isQuoted: boolean }

export const noRows: RowCount = { lines: 0, isQuoted: false }

export function countOn({ lines, isQuoted }: RowCount, bytes: Uint8Array): RowCount {
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === LINE_FEED && !isQuoted) lines += 1
  }
  return { lines, isQuoted }
}

/** Returns the number of rows, excluding the header line. */
export const rowsOf = ({ lines }: RowCount): number => Math.max(0, lines - 1)
