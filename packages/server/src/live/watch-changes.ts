// Polls the database a few times a second for all open dashboard pages in this process. The cost grows with the
// number of merchants with an open page. LISTEN and NOTIFY are not used, because they would slow down payments:
// PostgreSQL commits transactions that use NOTIFY one after another.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { fairLimit } from '../fairness/fair-limit.ts'
import type { Logger } from '../logging/log.ts'
import { changesSince, everything, type LiveChange, type PolledRow } from './live-change.ts'
import { MAX_ROWS_PER_KIND, pollRowsOfOwner, pollRowsOfTenants, RECENT_MS } from './polled-rows.sql.ts'

const POLL_EVERY_MS = 300
/**
 * The maximum number of changes waiting to be sent to one page. If more changes are waiting, the page gets a single
 * message to reload all its data instead.
 */
const MAX_WAITING_CHANGES = 500

const inNoContext = AsyncLocalStorage.snapshot()

/**
 * An open dashboard page. `hasMessage` is true if a message is ready to be sent to the page, even a message
 * without changes.
 */
type Page = { waiting: LiveChange[]; hasMessage: boolean; wake: () => void }
type Watched = { before: PolledRow[] | undefined; lookedAtMs: number; pages: Set<Page> }

export type Live = {
  /**
   * Yields lists of changes to a tenant's data. If `tenantId` is null, yields the changes the Owner sees. The first
   * list is usually empty. Once the first list has arrived, no later change is missed.
   *
   * Checks the user's access with `isStillAllowed` before it returns each list of changes. Ends when the user has lost
   * access, `signal` aborts, or `stop` is called. Throws RATE_LIMITED or SERVICE_UNAVAILABLE if too many pages are
   * open.
   */
  changesOf(
    tenantId: string | null,
    options: { signal: AbortSignal; isStillAllowed: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]>
  /** Disconnects all open dashboard pages and accepts no new ones. */
  stop(): void
}

const withPageSlot = fairLimit({ all: 512, own: 16, what: 'open pages' })

export function watchChanges({ db, log }: { db: Db; log: Logger }): Live {
  const watched = new Map<string, Watched>()
  const ending = new AbortController()
  let isPolling = false

  async function poll(): Promise<void> {
    const startedAtMs = Date.now()
    const tenantIds = [...watched.keys()].filter(key => key !== OWNER)
    const [tenants, owner] = await Promise.all([
      tenantIds.length > 0 ? pollRowsOfTenants(db, tenantIds) : undefined,
      watched.has(OWNER) ? pollRowsOfOwner(db) : undefined,
    ])
    for (const [key, each] of watched) {
      const now = key === OWNER ? owner : tenants?.get(key)
      if (!now) continue
      const found = changesSince(each.before, now)
      // If there were more changes than a poll lists, or if the previous poll was too long ago, this poll may
      // have missed changes.
      const isMore =
        found.length >= MAX_ROWS_PER_KIND || (each.before && startedAtMs - each.lookedAtMs > RECENT_MS / 2)
      const changes = isMore ? [everything] : found
      const isFirst = each.before === undefined
      each.before = now
      each.lookedAtMs = startedAtMs
      if (isFirst || changes.length > 0) for (const page of each.pages) deliver(page, changes)
    }
  }

  /**
   * Polls the database while any dashboard page is open. Polling continues while the database is unavailable. When
   * it responds again, the pages reload all their data.
   */
  async function pollLoop(): Promise<void> {
    if (isPolling) return
    isPolling = true
    let isUnavailable = false
    while (watched.size > 0 && !ending.signal.aborted) {
      try {
        await poll()
        isUnavailable = false
      } catch (error) {
        if (!isUnavailable)
          log.warn(
            { err: error },
            'the database is unavailable; open dashboard pages receive no live updates until it responds',
          )
        isUnavailable = true
      }
      await pause(POLL_EVERY_MS)
    }
    isPolling = false
  }

  async function* follow(
    key: string,
    { signal, isStillAllowed }: { signal: AbortSignal; isStillAllowed: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]> {
    const each = watched.get(key) ?? { before: undefined, lookedAtMs: 0, pages: new Set() }
    const page: Page = { waiting: [], hasMessage: each.before !== undefined, wake: () => {} }
    each.pages.add(page)
    watched.set(key, each)
    // All open pages share one polling loop, so it must not run in the database scope or log context of the
    // page that starts it.
    inNoContext(() => void pollLoop())
    const over = AbortSignal.any([signal, ending.signal])
    const wake = () => page.wake()
    over.addEventListener('abort', wake)
    try {
      while (!over.aborted) {
        if (!page.hasMessage) {
          await new Promise<void>(resolve => {
            page.wake = resolve
          })
        }
        if (over.aborted || !(await isStillAllowed())) return
        page.hasMessage = false
        yield page.waiting.splice(0)
      }
    } finally {
      over.removeEventListener('abort', wake)
      each.pages.delete(page)
      if (each.pages.size === 0) watched.delete(key)
    }
  }

  return {
    async *changesOf(tenantId, options) {
      const key = tenantId ?? OWNER
      const leave = Promise.withResolvers<void>()
      // An open page that receives live updates counts toward the limit on open pages until its connection
      // ends.
      const entered = Promise.withResolvers<void>()
      const place = withPageSlot(key, () => {
        entered.resolve()
        return leave.promise
      })
      place.catch(entered.reject)
      await entered.promise
      try {
        yield* follow(key, options)
      } finally {
        leave.resolve()
      }
    },
    stop: () => ending.abort(),
  }
}

const OWNER = 'owner'

function deliver(page: Page, changes: LiveChange[]): void {
  if (page.waiting.length + changes.length <= MAX_WAITING_CHANGES) page.waiting.push(...changes)
  else page.waiting = [everything]
  page.hasMessage = true
  page.wake()
}
