import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Tag } from '../parts/tag.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import type { Column } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { UserMenu } from './user-menu.tsx'
import { permissionWords, type User, userStatusTones, userStatusWords } from './user-words.ts'

const text = words({
  en: {
    email: 'Email address',
    permissions: 'Permissions',
    status: 'Status',
    added: 'Added',
    actions: 'Actions',
    you: 'You',
  },
  id: {
    email: 'Alamat email',
    permissions: 'Izin',
    status: 'Status',
    added: 'Ditambahkan',
    actions: 'Tindakan',
    you: 'Anda',
  },
})

/** The user list's columns. Admins also see a menu of actions for each user. */
export function useUserColumns(tenantId: string): Column<User>[] {
  const t = useWords(text)
  const names = useWords(permissionWords)
  const statuses = useWords(userStatusWords)
  const { user: self } = useAccount()
  const isAdmin = useIsPermitted('admin')
  return [
    {
      id: 'email',
      header: t.email,
      share: 2.4,
      cell: ({ id, email, permissions, status }) => (
        <>
          <span title={email}>
            {email} {id === self.id && <Tag tone="over">{t.you}</Tag>}
          </span>
          <OnPhone>{permissions.map(each => names[each]).join(', ')}</OnPhone>
          <OnPhone>
            <Tag tone={userStatusTones[status]}>{statuses[status]}</Tag>
          </OnPhone>
        </>
      ),
    },
    {
      id: 'permissions',
      header: t.permissions,
      share: 1.6,
      hidden: 'phone',
      cell: ({ permissions }) => permissions.map(each => names[each]).join(', '),
    },
    {
      id: 'status',
      header: t.status,
      isWhole: true,
      hidden: 'phone',
      cell: ({ status }) => <Tag tone={userStatusTones[status]}>{statuses[status]}</Tag>,
    },
    {
      id: 'added',
      header: t.added,
      align: 'end',
      hidden: 'tablet',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    ...(isAdmin
      ? [
          {
            id: 'actions',
            header: t.actions,
            share: 0.4,
            align: 'end' as const,
            isHeaderHidden: true,
            cell: (user: User) => <UserMenu tenantId={tenantId} user={user} />,
          },
        ]
      : []),
  ]
}
