import { Readable } from 'node:stream'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { MAX_SUM } from '../values/money.ts'
import { parseHeader, parseSettlementLine, type SettlementLine } from './settlement-line.ts'

/**
 * The number of settlement lines that are read and inserted together. This batch size limits memory use to a few
 * hundred kilobytes. It also limits the number of SQL statements.
 */
const BATCH = 5_000
const MAX_LINE_BYTES = 16 * 1024

/**
 * Reads a CSV file's lines (RFC 4180) in batches. If a line is invalid, throws BAD_REQUEST with the line number
 * and, if known, the column.
 */
export async function* readSettlement(csv: AsyncIterable<Buffer>): AsyncGenerator<SettlementLine[]> {
  let hasHead = false
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    columns: (head: string[]) => {
      hasHead = true
      return parseHeader(head)
    },
  })
  const source = Readable.from(csv)
  source.on('error', error => parser.destroy(error))
  source.pipe(parser)
  let batch: SettlementLine[] = []
  let total = 0n
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = parseSettlementLine(record, info.lines)
      total += line.amount + (line.fee ?? 0n)
      if (total > MAX_SUM) throw tooMuch(line)
      batch.push(line)
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error) : error
  } finally {
    source.destroy()
  }
  if (!hasHead) parseHeader([])
  if (batch.length > 0) yield batch
}

const tooMuch = ({ line }: SettlementLine) =>
  fault('settlement_value_invalid', {
    line,
    column: 'amount',
    what: `the amounts in the file add up to more than ${MAX_SUM} cents`,
  })

type Parsed = { record: Record<string, string>; info: InfoRecord }

function notCsv(error: CsvError): GatewayError {
  const line = Number(error.lines ?? 1)
  const what =
    error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
      ? 'must have as many columns as the first line'
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? `is longer than ${MAX_LINE_BYTES} bytes; is a quote left open?`
        : 'is not valid CSV; enclose a field that contains a comma or a quote in quotes, and double each quote inside the field'
  return fault('settlement_line_invalid', { line, what }, { cause: error })
}
