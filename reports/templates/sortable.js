// Makes the headings of a table into buttons that sort its rows: by the `data-key` of a cell (a
// number, empty for none) or else by its words. `fallsFirst` says of a heading which way first.
const sortable = (table, fallsFirst) => {
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const key = (cell) => {
    if (cell.dataset.key === undefined) return cell.textContent.trim().toLowerCase();
    return cell.dataset.key === "" ? -Infinity : Number(cell.dataset.key);
  };
  const sort = (column) => {
    const was = headers[column].getAttribute("aria-sort");
    const falling = was === null ? fallsFirst(headers[column]) : was !== "descending";
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (falling ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
    headers.forEach((header) => header.removeAttribute("aria-sort"));
    headers[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
  };
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    button.addEventListener("click", () => sort(column));
    header.replaceChildren(button);
  });
};
