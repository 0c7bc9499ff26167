// What providers say they settled, for the Owner.

import type { Call } from './call.ts'
import {
  type ListSettlementsData,
  listSettlements,
  type Settlement,
  type SettlementPage,
  uploadSettlement,
} from './generated/index.ts'
import type { QueryOf } from './query.ts'

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
export type UploadOptions = {
  /** For one try (300,000). */
  timeoutMs?: number | undefined
  /** Called with the bytes sent so far of this try. Not in browsers, which do not send piece by piece. */
  onProgress?: ((bytes: number) => void) | undefined
}

const UPLOAD_TIMEOUT_MS = 300_000

export const settlementsOf = (call: Call) => ({
  /**
   * Puts a file in the place of what was uploaded for that account and day. A line at fault is named, and then
   * nothing has changed.
   *
   * @example
   * const csv = await openAsBlob('settlement.csv')
   * const { lines, amount } = await gapura.settlements.upload({ providerCode: 'midtrans', accountId, date }, csv)
   */
  upload: (
    { providerCode, accountId, date }: SettlementOf,
    csv: Blob,
    { timeoutMs = UPLOAD_TIMEOUT_MS, onProgress }: UploadOptions = {},
  ): Promise<Settlement> =>
    call.repeatable(
      options =>
        uploadSettlement({
          ...options,
          path: { provider_code: providerCode, account_id: accountId, date },
          body: csv,
          ...(onProgress && pieceByPiece(csv, onProgress)),
        }),
      timeoutMs,
    ),

  /**
   * What was uploaded for an account, last first, in pages.
   *
   * @example
   * const { items } = await gapura.settlements.list('midtrans', accountId)
   */
  list: (
    providerCode: string,
    accountId: string,
    query: QueryOf<ListSettlementsData> = {},
  ): Promise<SettlementPage> =>
    call.repeatable(options =>
      listSettlements({
        ...options,
        path: { provider_code: providerCode, account_id: accountId },
        query,
      }),
    ),
})

/** The generated operation is typed for a Blob; `fetch` takes a stream as well, if told that it is one way. */
function pieceByPiece(csv: Blob, onProgress: (bytes: number) => void) {
  let sent = 0
  const counted = csv.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        controller.enqueue(piece)
        sent += piece.length
        onProgress(sent)
      },
    }),
  )
  return { body: counted as unknown as Blob, duplex: 'half' }
}
