import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import { getLedgerSeal, getLedgerVerification, listLedger } from './generated/operations.gen.ts'
import type {
  AccountLedgerEntry,
  GetLedgerSealData,
  LedgerSeal,
  LedgerVerification,
  ListLedgerData,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * The ledger of the caller's tenant. The Owner (the service's operator) can also read the result of verifying the
 * ledger of all tenants.
 */
export class LedgerResource extends Resource {
  /**
   * Lists all ledger entries for the balance in one mode (live or test), newest first.
   *
   * @example
   * for await (const entry of gapura.ledger.list({ mode: 'live' })) console.log(entry.amount, entry.reason)
   */
  list(query: QueryOf<ListLedgerData> = {}, options?: CallOptions): PagePromise<AccountLedgerEntry> {
    return pagesOf(this.call, listLedger, { query }, options)
  }

  /**
   * Returns the ledger seal: the hash of the balance's ledger entries up to the last signed statement, and a proof that
   * the statement covers this hash.
   *
   * @example
   * const { entries, hash, statement } = await gapura.ledger.getSeal({ mode: 'live' })
   */
  getSeal(query: QueryOf<GetLedgerSealData> = {}, options?: CallOptions): ApiPromise<LedgerSeal> {
    return this.call.repeatable(getLedgerSeal, { query }, options)
  }

  /**
   * Returns the time of the last ledger verification and the differences it found.
   *
   * @example
   * const { last, differences } = await gapura.ledger.getVerification()
   */
  getVerification(options?: CallOptions): ApiPromise<LedgerVerification> {
    return this.call.repeatable(getLedgerVerification, {}, options)
  }
}
