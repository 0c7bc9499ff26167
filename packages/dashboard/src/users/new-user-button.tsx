import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'
import { useAccount } from '../session/account.ts'

const NewUser = lazy(() => import('./new-user.tsx'))

const text = words({ en: { add: 'Add a user' }, id: { add: 'Tambah pengguna' } })

/** A Partner's own users are added by the Owner, and a Client's by whoever is above it. */
export function NewUserButton() {
  const t = useWords(text)
  const { role } = useAccount()
  const [isOpen, form] = useDisclosure()
  if (role !== 'owner') return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={form.open}>
        {t.add}
      </Button>
      <Suspense>{isOpen && <NewUser close={form.close} />}</Suspense>
    </>
  )
}
