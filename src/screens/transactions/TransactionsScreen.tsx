export default function TransactionsScreen() {
  return <h1>Transactions</h1>
}
