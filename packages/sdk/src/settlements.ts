// What providers say they settled, for the Owner.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import { listSettlements, uploadSettlement } from './generated/operations.gen.ts'
import type { ListSettlementsData, Settlement } from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'

/**
 * Of which account, and of which day of Asia/Jakarta.
 *
 * @example
 * const of: SettlementOf = { providerCode: 'midtrans', accountId, date: '2026-11-20' }
 */
export type SettlementOf = { providerCode: string; accountId: string; date: string }

/**
 * Settings of an upload.
 *
 * @example
 * const options: UploadOptions = { onProgress: bytes => console.log(`${bytes} sent`) }
 */
export type UploadOptions = CallOptions & {
  /** Called with the bytes sent so far of this try. Not in browsers, which do not send piece by piece. */
  onProgress?: ((bytes: number) => void) | undefined
}

/** For one try, as long as nothing else is asked for. */
const UPLOAD_TIMEOUT_MS = 300_000

export const settlementsOf = (call: Call) => ({
  /**
   * Puts a file in the place of what was uploaded for that account and day. A line at fault is named, and then
   * nothing has changed. One try has five minutes unless `timeoutMs` says otherwise.
   *
   * @example
   * const csv = await openAsBlob('settlement.csv')
   * const { lines, amount } = await gapura.settlements.upload({ providerCode: 'midtrans', accountId, date }, csv)
   */
  upload: (
    { providerCode, accountId, date }: SettlementOf,
    csv: Blob,
    { timeoutMs = UPLOAD_TIMEOUT_MS, onProgress, ...options }: UploadOptions = {},
  ): ApiPromise<Settlement> =>
    call.repeatable(
      uploadSettlement,
      {
        path: { provider_code: providerCode, account_id: accountId, date },
        body: onProgress ? pieceByPiece(csv, onProgress) : csv,
      },
      { ...options, timeoutMs },
    ),

  /**
   * What was uploaded for an account, last first.
   *
   * @example
   * const { items } = await gapura.settlements.list('midtrans', accountId)
   */
  list: (
    providerCode: string,
    accountId: string,
    query: QueryOf<ListSettlementsData> = {},
    options?: CallOptions,
  ): PagePromise<Settlement> =>
    pagesOf(
      call,
      listSettlements,
      { path: { provider_code: providerCode, account_id: accountId }, query },
      options,
    ),
})

/** A stream for each try, though the generated operation is typed for a Blob. */
function pieceByPiece(csv: Blob, onProgress: (bytes: number) => void): Blob {
  const stream = () => {
    let sent = 0
    return csv.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          controller.enqueue(piece)
          sent += piece.length
          onProgress(sent)
        },
      }),
    )
  }
  return stream as unknown as Blob
}
