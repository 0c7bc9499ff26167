export const UsersPage = () => <p>UsersPage</p>
