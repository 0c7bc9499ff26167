// Sends HTTP requests to the REST API. Pages use it to transfer files and to receive responses line by line, because
// tRPC supports neither.

import { accessToken, distrust } from '../session/session.ts'
import { RestError } from './rest-error.ts'
import { saveFile } from './save-file.ts'

type Asked = { method?: 'GET' | 'PUT'; headers: Record<string, string>; body?: Blob; signal?: AbortSignal }

/** Sends a request to the REST API. Throws RestError if the request fails or is rejected. */
export async function rest(path: string, { headers, ...asked }: Asked): Promise<Response> {
  const response = await fetch(path, {
    ...asked,
    headers: { ...headers, authorization: `Bearer ${await accessToken()}` },
  }).catch((error: unknown) => {
    throw asked.signal?.aborted ? error : new RestError({ code: '', message: String(error) })
  })
  if (response.ok) return response
  if (response.status === 401) distrust()
  throw new RestError(await faultIn(response))
}

async function faultIn(response: Response): Promise<{ code: string; message: string }> {
  const answer = await response.json().catch(() => undefined)
  return answer?.error ?? { code: '', message: `${response.status} ${response.statusText}` }
}

/** Requests a file and saves the response in the browser as a download. */
export async function download(path: string, { type, name }: { type: string; name: string }): Promise<void> {
  const response = await rest(path, { headers: { accept: type } })
  saveFile(await response.blob(), name)
}
