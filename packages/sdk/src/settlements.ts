// Settlement files from the providers. Only for the Owner (the service's operator).

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import { listSettlementLines, listSettlements, uploadSettlement } from './generated/operations.gen.ts'
import type {
  ListSettlementLinesData,
  ListSettlementsData,
  Settlement,
  SettlementLine,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * The settlement's provider account and day. `date` is a day in Asia/Jakarta.
 *
 * @example
 * const of: SettlementKey = { providerCode: 'midtrans', accountId, date: '2026-11-20' }
 */
export type SettlementKey = { providerCode: string; accountId: string; date: string }

/**
 * Options of an upload.
 *
 * @example
 * const options: UploadOptions = { onProgress: bytes => console.log(`${bytes} sent`) }
 */
export type UploadOptions = CallOptions & {
  /**
   * Called with the number of bytes sent so far in the current attempt. Not called in browsers, because they cannot
   * stream a request body.
   */
  onProgress?: ((bytes: number) => void) | undefined
}

/** The default timeout for one upload attempt: five minutes. */
const UPLOAD_TIMEOUT_MS = 300_000

/** Settlement files from the providers. Only for the Owner (the service's operator). */
export class SettlementsResource extends Resource {
  /**
   * Uploads a settlement file, replacing the previous upload for this account and day. If a line is invalid,
   * nothing changes, and the error contains the line number. Each attempt has a timeout of five minutes unless you
   * set `timeoutMs`.
   *
   * @example
   * const csv = await openAsBlob('settlement.csv')
   * const { lines, amount } = await gapura.settlements.upload({ providerCode: 'midtrans', accountId, date }, csv)
   */
  upload(
    { providerCode, accountId, date }: SettlementKey,
    csv: Blob,
    { timeoutMs = UPLOAD_TIMEOUT_MS, onProgress, ...options }: UploadOptions = {},
  ): ApiPromise<Settlement> {
    return this.call.repeatable(
      uploadSettlement,
      {
        path: { provider_code: providerCode, account_id: accountId, date },
        body: onProgress ? pieceByPiece(csv, onProgress) : csv,
      },
      { ...options, timeoutMs },
    )
  }

  /**
   * Lists a provider account's settlements, newest first.
   *
   * @example
   * const { items } = await gapura.settlements.list('midtrans', accountId)
   */
  list(
    providerCode: string,
    accountId: string,
    query: QueryOf<ListSettlementsData> = {},
    options?: CallOptions,
  ): PagePromise<Settlement> {
    return pagesOf(
      this.call,
      listSettlements,
      { path: { provider_code: providerCode, account_id: accountId }, query },
      options,
    )
  }

  /**
   * Lists a settlement's lines in file order.
   *
   * @example
   * for await (const { reference, amount } of gapura.settlements.listLines({ providerCode: 'midtrans', accountId, date }))
   *   console.log(reference, amount)
   */
  listLines(
    { providerCode, accountId, date }: SettlementKey,
    query: QueryOf<ListSettlementLinesData> = {},
    options?: CallOptions,
  ): PagePromise<SettlementLine> {
    return pagesOf(
      this.call,
      listSettlementLines,
      { path: { provider_code: providerCode, account_id: accountId, date }, query },
      options,
    )
  }
}

/**
 * Returns a function that creates a new stream for each attempt to send the request. Its type is cast to Blob, because
 * the generated operation accepts only a Blob.
 */
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
