// Streams a response line by line. The HTTP status is sent with the first line. An error that occurs later can
// therefore no longer change the status, but only end the response early.

import type { Context as KoaContext } from 'koa'
import type { StreamedLine } from '../api/context.ts'
import { xlsxType } from '../api/export-style.ts'
import { gatewayErrorOf, type LinesAsCsv } from '../api/trpc.ts'
import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { failureOf, sendData } from './envelope.ts'
import { responseEnd } from './response-end.ts'
import { csvFormOf, sheetColumnsOf } from './spreadsheet.ts'
import { xlsxWriter } from './xlsx.ts'

type LineWriter = {
  /**
   * True if each line is sent as soon as it is written (NDJSON, CSV or XLSX). False if the response is one
   * JSON body, sent at the end.
   */
  isStreamed: boolean
  /**
   * Writes a line. The promise resolves when the connection's buffer has space for the next line, so lines are not
   * produced faster than the client reads them.
   */
  write(line: StreamedLine): Promise<void>
  /**
   * Ends the response. `whole` is the complete result. It is sent as the response's body if the response is one JSON
   * body instead of streamed lines.
   */
  end(whole: unknown): void
  fail(error: unknown): never
}

/**
 * Returns functions that write the response in the format the caller accepts: NDJSON, CSV, or one JSON body at the
 * end.
 */
export function streamLines(ctx: KoaContext, csv: LinesAsCsv): LineWriter {
  const { type, rowOf = line => line } = csv
  ctx.vary('Accept')
  switch (ctx.accepts('application/json', 'application/x-ndjson', 'text/csv', xlsxType)) {
    case 'application/x-ndjson':
      return writeTo(ctx, {
        contentType: 'application/x-ndjson',
        head: '',
        textOf: line => `${JSON.stringify(line)}\n`,
        // If an error occurs after some lines have been sent, the last line of the stream reports this error.
        errorLine: error =>
          `${JSON.stringify({ type: 'error', error: failureOf(error, requestIdOf(ctx)) })}\n`,
      })
    case xlsxType: {
      const workbook = xlsxWriter(sheetColumnsOf(csv))
      return writeTo(ctx, {
        contentType: xlsxType,
        head: '',
        textOf: line => (line.type === type ? workbook.row(rowOf(line)) : ''),
        tail: workbook.end,
        errorLine: undefined,
      })
    }
    case 'text/csv': {
      const { head, lineOf } = csvFormOf(csv, ctx.query.style)
      return writeTo(ctx, {
        contentType: 'text/csv; charset=utf-8',
        head,
        textOf: line => (line.type === type ? lineOf(rowOf(line)) : ''),
        // A CSV file cannot report an error. If an error occurs, the connection is therefore closed before the
        // response ends, so that the client can detect that the file is incomplete.
        errorLine: undefined,
      })
    }
    default:
      return {
        isStreamed: false,
        write: async () => throwIfDisconnected(ctx),
        end: whole => sendData(ctx, whole),
        fail: error => {
          throw error
        },
      }
  }
}

/**
 * Throws an error if the client has disconnected, so that no more lines of the response are produced for this
 * client.
 */
function throwIfDisconnected({ res }: KoaContext): void {
  if (responseEnd(res).hasEnded()) throw fault('connection_closed')
}

const requestIdOf = (ctx: KoaContext): string => String(ctx.response.get('X-Request-Id'))

type Form = {
  contentType: string
  head: string
  textOf: (line: StreamedLine) => string | Buffer
  /** Returns the bytes that end the response, which are sent after its last line. */
  tail?: () => Buffer
  errorLine: ((error: GatewayError) => string) | undefined
}

function writeTo(ctx: KoaContext, { contentType, head, textOf, tail, errorLine }: Form): LineWriter {
  const { res } = ctx
  const { hasEnded, ended } = responseEnd(res)
  let wake = () => {}
  void ended.then(() => wake())
  async function send(text: string | Buffer): Promise<void> {
    if (!res.headersSent) {
      ctx.status = 200
      ctx.type = contentType
      ctx.respond = false
      ctx.flushHeaders()
      res.write(head)
    }
    if (text.length > 0 && !hasEnded() && !res.write(text))
      await new Promise<void>(resolve => {
        wake = resolve
        res.once('drain', resolve)
      })
    throwIfDisconnected(ctx)
  }
  return {
    isStreamed: true,
    write: line => send(textOf(line)),
    end() {
      if (tail) res.end(tail())
      else res.end()
    },
    fail(error) {
      if (res.headersSent && !hasEnded()) {
        if (errorLine) res.end(errorLine(gatewayErrorOf(error)))
        else res.destroy()
      }
      throw error
    },
  }
}
