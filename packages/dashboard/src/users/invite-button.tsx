import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'
import { useIsPermitted } from '../session/account.ts'

const InviteUser = lazy(() => import('./invite-user.tsx'))

const text = words({ en: { invite: 'Invite user' }, id: { invite: 'Undang pengguna' } })

/** Invites a user to the tenant. Only admins see the button. */
export function InviteButton({ tenantId, ...button }: ButtonProps & { tenantId: string }) {
  const t = useWords(text)
  const isAdmin = useIsPermitted('admin')
  const [isOpen, form] = useDisclosure()
  if (!isAdmin) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={form.open} {...button}>
        {t.invite}
      </Button>
      <Suspense>{isOpen && <InviteUser tenantId={tenantId} close={form.close} />}</Suspense>
    </>
  )
}
