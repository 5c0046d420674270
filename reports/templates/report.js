// Sorts the table of games by any column, and opens a game's details when a link leads there.
// The page reads the same without it.
(() => {
  "use strict";
  const table = document.getElementById("games-table");
  if (table) {
    const body = table.tBodies[0];
    const headers = [...table.tHead.rows[0].cells];
    const key = (row, column) => {
      const text = row.cells[column].textContent.trim();
      const number = parseFloat(text.replace("½", ".5").replaceAll(",", ""));
      return headers[column].classList.contains("number")
        ? (Number.isNaN(number) ? -Infinity : number)
        : text.toLowerCase();
    };
    const sort = (column) => {
      const falling = headers[column].getAttribute("aria-sort") !== "descending";
      const rows = [...body.rows].map((row) => [key(row, column), row]);
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
  }
  const open = () => {
    const target = location.hash.startsWith("#game-") && document.querySelector(location.hash);
    const details = target && target.closest("details");
    if (details) { details.open = true; details.scrollIntoView({ block: "start" }); }
  };
  addEventListener("hashchange", open);
  open();
})();
