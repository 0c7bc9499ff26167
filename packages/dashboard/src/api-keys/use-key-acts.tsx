import { useState } from 'react'
import { LimitKey } from './limit-key.tsx'
import { NewKey } from './new-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { type MadeKey, ShownKey } from './shown-key.tsx'
import type { KeyAct } from './use-key-columns.tsx'

/** Returns the actions that a user can perform on a tenant's API keys, with the dialog for each action. */
export function useKeyActs(tenantId: string) {
  const [act, setAct] = useState<KeyAct>()
  const [made, setMade] = useState<MadeKey>()
  const close = () => setAct(undefined)
  const show = (key: MadeKey) => {
    close()
    setMade(key)
  }
  const of = { tenantId, close }
  const dialogs = (
    <>
      {act?.type === 'create' && <NewKey {...of} whenMade={show} />}
      {act?.type === 'rotate' && <RotateKey {...of} old={act.key} whenMade={show} />}
      {act?.type === 'limit' && <LimitKey {...of} of={act.key} />}
      {act?.type === 'revoke' && <RevokeKey {...of} of={act.key} />}
      {made && <ShownKey made={made} close={() => setMade(undefined)} />}
    </>
  )
  return { begin: setAct, dialogs }
}
