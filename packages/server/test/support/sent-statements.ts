// Records each statement sent to PostgreSQL, together with the tenants to whose data the statement is limited
// (src/db/tenant-scope.ts).

import pg from 'pg'
import { vi } from 'vitest'

/**
 * An SQL statement that was sent. The statement can read only the data of the tenants and partners with the
 * IDs in `scope`. If `scope` is undefined, the statement can read all data.
 */
export type Sent = { text: string; values: unknown[]; scope: string[] | undefined }

type Asked = string | { text: string; values?: unknown[]; name?: string; scope?: { [of: string]: string[] } }

/**
 * Returns all statements that any connection pool sends while `run` runs. The parameter of `run` contains the
 * statements sent so far.
 */
export async function sentWhile(run: (sent: readonly Sent[]) => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const ofTransaction = new WeakMap<pg.Client, string[] | undefined>()
  const query = pg.Client.prototype.query
  const listening = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const asked = args[0] as Asked
    const { text, values = [], name, scope } = typeof asked === 'string' ? { text: asked } : asked
    if (/^begin\b/i.test(text)) ofTransaction.set(this, text.includes('set_config') ? idsIn(text) : undefined)
    else if (!/^(commit|rollback)\b/i.test(text) && !name?.startsWith('scope'))
      sent.push({
        text,
        values,
        scope:
          this.getTransactionStatus() === 'I'
            ? scope && Object.values(scope).flat()
            : ofTransaction.get(this),
      })
    return Reflect.apply(query, this, args)
  } as typeof query)
  try {
    await run(sent)
  } finally {
    listening.mockRestore()
  }
  return sent
}

const idsIn = (text: string): string[] => [
  ...new Set(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)),
]
