export const InboxPage = () => <p>InboxPage</p>
