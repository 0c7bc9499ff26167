import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'
import { useAccount } from '../session/account.ts'

const NewUser = lazy(() => import('./new-user.tsx'))

const text = words({ en: { add: 'Add user' }, id: { add: 'Tambah pengguna' } })

/**
 * Adds a user to the reader's own tenant, which only the Owner may do. A Partner's users are added by the Owner, and a
 * Client's users by the tenants above the Client.
 */
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
