import { lazy, Suspense, useEffect, useState } from 'react'
import { onProofNeeded } from './proof.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx'))

/** Shows the dialog that asks for the second factor while a call waits for the confirmation. */
export function ProofHost() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onProofNeeded(setOpen), [])
  return <Suspense>{isOpen && <ProofDialog />}</Suspense>
}
