// Operations that move money or replace keys require a second factor confirmed within the last 15 minutes. If the
// service asks for confirmation, the page shows a dialog and then repeats the call (api/trpc.ts).

type Asking = { resolve: () => void; reject: (reason: Error) => void }

/** Thrown if the user closes the dialog without confirming the second factor. */
export class ProofRefused extends Error {
  override name = 'ProofRefused'
}

let waiting: Asking[] = []
let show: (isOpen: boolean) => void = () => {}

/** Registers the function that opens and closes the second-factor dialog. */
export function onProofNeeded(open: (isOpen: boolean) => void): () => void {
  show = open
  return () => {
    show = () => {}
  }
}

/**
 * Resolves when the user has confirmed the second factor. If several calls need confirmation, they share one
 * dialog.
 */
export const proveAgain = (): Promise<void> =>
  new Promise((resolve, reject) => {
    waiting.push({ resolve, reject })
    show(true)
  })

export function endProof(isProven: boolean): void {
  const ended = waiting
  waiting = []
  show(false)
  for (const { resolve, reject } of ended) {
    if (isProven) resolve()
    else reject(new ProofRefused('the second factor was not confirmed'))
  }
}
