export const ResetPasswordPage = () => <p>ResetPasswordPage</p>
