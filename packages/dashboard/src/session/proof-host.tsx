import { lazy, Suspense, useEffect, useState } from 'react'
import { onProofNeeded } from './proof.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx'))

/**
 * Shows the dialog that asks the user to confirm with a second factor. The API call that requires this
 * confirmation waits until the user has confirmed.
 */
export function ProofHost() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onProofNeeded(setOpen), [])
  return <Suspense>{isOpen && <ProofDialog />}</Suspense>
}
