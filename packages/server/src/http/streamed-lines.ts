// Streams a response line by line. The HTTP status is sent with the first line. Before that, an error gets an ordinary
// error response; afterwards, an error can only end the response early.

import { once } from 'node:events'
import type { Context as KoaContext } from 'koa'
import type { StreamedLine } from '../api/context.ts'
import { gatewayErrorOf, type LinesAsCsv } from '../api/trpc.ts'
import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { type CsvValue, csvLine } from './csv.ts'
import { failureOf, sendData } from './envelope.ts'

type LineWriter = {
  /** True if the response consists of the written lines, instead of one JSON body at the end. */
  isStreamed: boolean
  /**
   * Writes a line. The promise resolves when there is room for another line, so that a slow reader slows the work down.
   */
  write(line: StreamedLine): Promise<void>
  /** Ends the response. `whole` is the procedure's result, which follows the last line. */
  end(whole: unknown): void
  fail(error: unknown): never
}

/**
 * Returns functions that write the response in the format that the caller accepts: NDJSON, CSV, or one JSON body at the
 * end.
 */
export function streamLines(
  ctx: KoaContext,
  { type, columns, rowOf = line => line }: LinesAsCsv,
): LineWriter {
  ctx.vary('Accept')
  switch (ctx.accepts('application/json', 'application/x-ndjson', 'text/csv')) {
    case 'application/x-ndjson':
      return writeTo(ctx, {
        contentType: 'application/x-ndjson',
        head: '',
        textOf: line => `${JSON.stringify(line)}\n`,
        // If the work fails midway, the last line reports the error.
        errorLine: error =>
          `${JSON.stringify({ type: 'error', error: failureOf(error, requestIdOf(ctx)) })}\n`,
      })
    case 'text/csv':
      return writeTo(ctx, {
        contentType: 'text/csv; charset=utf-8',
        head: csvLine(columns),
        textOf(line) {
          if (line.type !== type) return ''
          const row = rowOf(line)
          return csvLine(columns.map(column => row[column] as CsvValue))
        },
        // CSV cannot report an error, so the connection is closed midway and the client knows that the file is
        // incomplete.
        errorLine: undefined,
      })
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

/** Throws if the client has disconnected, so that the work for it stops. */
function throwIfDisconnected({ res }: KoaContext): void {
  if (res.destroyed) throw fault('connection_closed')
}

const requestIdOf = (ctx: KoaContext): string => String(ctx.response.get('X-Request-Id'))

type Form = {
  contentType: string
  head: string
  textOf: (line: StreamedLine) => string
  errorLine: ((error: GatewayError) => string) | undefined
}

function writeTo(ctx: KoaContext, { contentType, head, textOf, errorLine }: Form): LineWriter {
  const { res } = ctx
  async function send(text: string): Promise<void> {
    if (!res.headersSent) {
      ctx.status = 200
      ctx.type = contentType
      ctx.respond = false
      ctx.flushHeaders()
      res.write(head)
    }
    if (text !== '' && !res.destroyed && !res.write(text)) {
      const room = new AbortController()
      const { signal } = room
      await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() =>
        room.abort(),
      )
    }
    throwIfDisconnected(ctx)
  }
  return {
    isStreamed: true,
    write: line => send(textOf(line)),
    end: () => void res.end(),
    fail(error) {
      if (res.headersSent && !res.destroyed) {
        if (errorLine) res.end(errorLine(gatewayErrorOf(error)))
        else res.destroy()
      }
      throw error
    },
  }
}
