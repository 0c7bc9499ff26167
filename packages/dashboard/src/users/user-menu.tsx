import { ActionIcon, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconDots,
  IconLockOpen,
  IconMail,
  IconShieldLock,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import type { User } from './user-words.ts'

const EditPermissions = lazy(() => import('./edit-permissions.tsx'))

const text = words({
  en: {
    menu: (email: string) => `Actions for ${email}`,
    edit: 'Change permissions…',
    resend: 'Resend invitation',
    resent: 'Invitation sent',
    disable: 'Disable',
    disabled: 'User disabled. All of the user’s sessions have ended.',
    enable: 'Enable',
    enabled: 'User enabled',
    reset: 'Reset second factor…',
    resetTitle: 'Reset the second factor?',
    resetWhat: (email: string) =>
      `The next login of ${email} needs only the password. All sessions of the user end. First make sure that the request really comes from this person, for example by phone.`,
    resetAct: 'Reset second factor',
    resetDone: 'Second factor reset',
    remove: 'Remove…',
    removeTitle: 'Remove this user?',
    removeWhat: (email: string) =>
      `${email} can no longer log in, and all of the user's sessions end. The audit log keeps the user's entries. This cannot be undone, but you can invite the address again.`,
    removeAct: 'Remove user',
    removed: 'User removed',
  },
  id: {
    menu: (email: string) => `Tindakan untuk ${email}`,
    edit: 'Ubah izin…',
    resend: 'Kirim ulang undangan',
    resent: 'Undangan terkirim',
    disable: 'Nonaktifkan',
    disabled: 'Pengguna dinonaktifkan. Semua sesinya telah berakhir.',
    enable: 'Aktifkan',
    enabled: 'Pengguna diaktifkan',
    reset: 'Atur ulang faktor kedua…',
    resetTitle: 'Atur ulang faktor kedua?',
    resetWhat: (email: string) =>
      `Untuk masuk berikutnya, ${email} hanya memerlukan kata sandi. Semua sesinya berakhir. Pastikan dahulu bahwa permintaan benar-benar dari orang ini, misalnya lewat telepon.`,
    resetAct: 'Atur ulang faktor kedua',
    resetDone: 'Faktor kedua diatur ulang',
    remove: 'Hapus…',
    removeTitle: 'Hapus pengguna ini?',
    removeWhat: (email: string) =>
      `${email} tidak dapat masuk lagi, dan semua sesinya berakhir. Log audit tetap menyimpan catatannya. Tindakan ini tidak dapat dibatalkan, tetapi alamat ini dapat diundang lagi.`,
    removeAct: 'Hapus pengguna',
    removed: 'Pengguna dihapus',
  },
})

/** The menu of actions an admin can take on one of the tenant's users. */
export function UserMenu({ tenantId, user }: { tenantId: string; user: User }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isEditing, editor] = useDisclosure()
  const [isRemoving, remover] = useDisclosure()
  const path = { tenant_id: tenantId, user_id: user.id }
  const onSuccess = () => void queries.invalidateQueries({ queryKey: trpc.users.pathKey() })
  const disabling = useAct({
    done: t.disabled,
    mutationFn: () => client.users.update.mutate({ ...path, status: 'disabled' }),
    onSuccess,
  })
  const enabling = useAct({
    done: t.enabled,
    mutationFn: () => client.users.update.mutate({ ...path, status: 'active' }),
    onSuccess,
  })
  const resending = useAct({ done: t.resent, mutationFn: () => client.users.resendInvitation.mutate(path) })
  const [isResetting, resetter] = useDisclosure()
  const resetting = useAct({
    done: t.resetDone,
    mutationFn: () => client.users.resetSecondFactor.mutate(path),
    onSettled: resetter.close,
  })
  const removing = useAct({
    done: t.removed,
    mutationFn: () => client.users.remove.mutate(path),
    onSuccess,
    onSettled: remover.close,
  })
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.menu(user.email)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShieldLock size={16} />} onClick={editor.open}>
            {t.edit}
          </Menu.Item>
          {user.status === 'invited' && (
            <Menu.Item leftSection={<IconMail size={16} />} onClick={() => resending.mutate()}>
              {t.resend}
            </Menu.Item>
          )}
          {user.status === 'active' && (
            <Menu.Item leftSection={<IconUserOff size={16} />} onClick={() => disabling.mutate()}>
              {t.disable}
            </Menu.Item>
          )}
          {user.status === 'disabled' && (
            <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => enabling.mutate()}>
              {t.enable}
            </Menu.Item>
          )}
          {user.status !== 'invited' && (
            <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={resetter.open}>
              {t.reset}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={remover.open}>
            <Text size="sm" c="var(--mantine-color-error)">
              {t.remove}
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {isEditing && <EditPermissions tenantId={tenantId} user={user} close={editor.close} />}
      </Suspense>
      <Confirm
        isOpen={isResetting}
        close={resetter.close}
        title={t.resetTitle}
        act={t.resetAct}
        isActing={resetting.isPending}
        onAct={() => resetting.mutate()}
        isGrave
      >
        {t.resetWhat(user.email)}
      </Confirm>
      <Confirm
        isOpen={isRemoving}
        close={remover.close}
        title={t.removeTitle}
        act={t.removeAct}
        isActing={removing.isPending}
        onAct={() => removing.mutate()}
        isGrave
      >
        {t.removeWhat(user.email)}
      </Confirm>
    </>
  )
}
