import { useQuery } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/states.tsx'
import { confirmWithPasskey } from './passkeys.ts'
import { endProof } from './proof.ts'
import { SecondStep } from './second-step.tsx'

const text = words({
  en: { title: 'Confirm your identity', act: 'Confirm' },
  id: { title: 'Konfirmasi bahwa ini Anda', act: 'Konfirmasi' },
})

/** Asks for the second factor because the user has not confirmed it in this session in the last 15 minutes. */
export default function ProofDialog() {
  const t = useWords(text)
  const { data, error, refetch } = useQuery(trpc.secondFactor.get.queryOptions({}))
  const methods = [
    ...(data?.has_totp ? ['totp'] : []),
    ...(data && data.passkeys.length > 0 ? ['passkey'] : []),
  ]
  return (
    <Dialog title={t.title} onClose={() => endProof(false)}>
      {!data && error && <Failure error={error} retry={() => void refetch()} />}
      {data && (
        <SecondStep
          methods={methods}
          act={t.act}
          onCode={code => client.secondFactor.confirm.mutate({ code })}
          onPasskey={confirmWithPasskey}
          onDone={() => endProof(true)}
        />
      )}
    </Dialog>
  )
}
